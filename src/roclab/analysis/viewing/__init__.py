"""Images as a viewer shows them, in the workbench and in pages of one file.

``scene`` holds images of values and of labels in the order of the body, slice by slice; ``scans`` makes one of a scan
and of what a lung CAD marked in it, ``overlays`` adds classes, memberships and images of files, ``series`` makes one of
a DCE-MRI with its curves and maps; ``layers`` carries layers as text, ``embedding`` packs a scene into a page.
"""
