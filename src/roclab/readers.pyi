"""Multi-reader multi-case (MRMC) studies: analysis, sample size, simulation."""

from roclab.analysis.readers import mrmc as mrmc
from roclab.analysis.readers_size import sample_size as sample_size
from roclab.analysis.readers_size import simulate as simulate
