//! Text and tables of a page.

use std::fmt::Write;

/// Text that is no markup.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// A cell: text, and the number that it is sorted by.
pub struct Cell {
    text: String,
    value: Option<f64>,
    code: bool,
    class: &'static str,
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        let class = match text.as_str() {
            t if t.contains("EXCEEDED") || t.contains("FAILS") || t == "worse" || t.ends_with("wrong") => "bad",
            t if t.starts_with("holds") || t.ends_with("held") || t == "right" => "good",
            _ => "",
        };
        Cell { text, value: None, code: false, class }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        text.to_string().into()
    }
}

impl Cell {
    /// A number, as it is shown and as it is.
    pub fn number(text: String, value: f64) -> Cell {
        Cell { text, value: Some(value), code: false, class: "" }
    }

    /// A case, to be copied.
    pub fn code(text: &str) -> Cell {
        Cell { text: text.into(), value: None, code: true, class: "" }
    }
}

/// A table that the reader can sort and filter.
pub fn table(body: &mut String, id: &str, heads: &[&str], rows: impl Iterator<Item = Vec<Cell>>) {
    let _ = write!(body, "<div class=\"scroll\"><table class=\"sortable\" id=\"{}\">\n<thead><tr>", escape(id));
    for head in heads {
        let _ = write!(body, "<th scope=\"col\">{}</th>", escape(head));
    }
    body.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        body.push_str("<tr>");
        for cell in row {
            let value = cell.value.map_or(String::new(), |v| format!(" data-value=\"{v:?}\""));
            let class = if cell.class.is_empty() { String::new() } else { format!(" class=\"{}\"", cell.class) };
            let text = escape(&cell.text);
            match cell.code && !text.is_empty() {
                true => _ = write!(body, "<td><code>{text}</code></td>"),
                false => _ = write!(body, "<td{value}{class}>{text}</td>"),
            }
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody></table></div>\n");
}
