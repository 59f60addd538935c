"""What a file really is, told from its first bytes."""

from __future__ import annotations

_SIGNATURES = (
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"PK\x03\x04", "a zip archive, which is what .xlsx files are"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"\xd0\xcf\x11\xe0", "an old .xls or a password-protected Excel file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"%PDF-", "a PDF document"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x28\xb5\x2f\xfd", "Zstandard-compressed data"),
    (b"BZh", "bzip2-compressed data"),
    (b"\xfd7zXZ", "xz-compressed data"),
)


def kind_of(head: bytes) -> str:
    """The kind of file that begins with these bytes, in words."""
    for signature, kind in _SIGNATURES:
        if head.startswith(signature) and (not signature.isalnum() or looks_binary(head)):
            return kind
    if looks_binary(head):
        return "binary data"
    return "a web page" if head[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")) else "text"


def looks_binary(head: bytes) -> bool:
    """True when the bytes hold a NUL, which no text has but UTF-16 with its byte-order mark."""
    return b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff"))
