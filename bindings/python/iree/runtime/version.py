# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The release whose files and API these are."""
VERSION = "3.13.0"
