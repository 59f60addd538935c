"""Reports: one analysis as a page that works offline, as Markdown, as PDF and as JSON."""

from roclab.analysis.reporting.build import build_report
from roclab.analysis.reporting.content import Report
from roclab.report.write import write_report

__all__ = ["Report", "build_report", "write_report"]
