"""Printed pages: HTML to PDF through weasyprint, which is an extra of the package."""

from __future__ import annotations

import logging
import os


class NoPdf(RuntimeError):
    """No PDF can be made here; the message says what is missing and what to do instead."""


def to_pdf(html: str) -> bytes:
    """Set a page of HTML as PDF; the same page gives the same bytes.

    Raises:
        NoPdf: weasyprint or a library it needs is not installed.
    """
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    try:
        from weasyprint import HTML
    except ImportError:
        raise NoPdf(
            "for PDF install the extra: pip install 'dealer-trainer[pdf]'; or use --format html and print from a browser"
        ) from None
    except OSError as why:
        raise NoPdf(
            f"weasyprint misses a system library ({why}); on Debian: apt-get install libpango-1.0-0 libpangoft2-1.0-0; "
            "or use --format html and print from a browser"
        ) from None
    # The time of writing would be kept in the fonts that are embedded.
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    found = HTML(string=html).write_pdf(pdf_identifier=b"dealer-trainer")
    assert isinstance(found, bytes)
    return found
