STAT_FN STAT_U32 *stat_plain()
{
    __shared__ STAT_U32 plain[4 * 64];
    return plain;
}

