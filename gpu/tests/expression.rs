//! Expressions in a device's language: that CUDA's compiler takes them at every type.

use vernier_gpu::device::{Api, cuda};
use vernier_gpu::expression::{Expression, Scalar};

#[test]
fn expressions_of_every_type_compile() {
    let expression = |text: &str, scalar| Expression {
        api: Api::Cuda,
        text: text.into(),
        scalar,
        header: None,
        options: vec!["-use_fast_math".into()],
    };
    let all = [
        ("expf(x) * y", Scalar::F32),
        ("exp(x) + z", Scalar::F64),
        ("hexp(x) + y", Scalar::F16),
        ("hlog2(x) * z", Scalar::BF16),
    ];
    for (text, scalar) in all {
        if cuda::compiler_version().is_err()
            || !matches!(scalar, Scalar::F32 | Scalar::F64) && cuda::headers().is_none()
        {
            println!("SKIPPED: {text}: NVRTC or its headers are missing");
            continue;
        }
        let code = cuda::compile(&expression(text, scalar).source(), "sm_90");
        assert!(code.as_ref().is_ok_and(|code| !code.is_empty()), "{text}: {code:?}");
    }
}
