# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The release whose tools and files these are."""
VERSION = "3.13.0"
