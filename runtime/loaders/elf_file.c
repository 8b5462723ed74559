// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All arithmetic on numbers from the file is in 64 bits and checked; all reads are copies, since
// nothing in a file is promised to be aligned.
#include "runtime/loaders/elf_file.h"

#include "abi/elf_note.h"
#include "runtime/loaders/elf_relocate.h"

#define FATELF_MAGIC 0x1F0E70FAu

static iree_status_t malformed(const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "malformed ELF executable: %s", what);
}

static bool file_range(iree_const_byte_span_t data, uint64_t offset, uint64_t length) {
  return iree_range_is_within(offset, length, data.data_length);
}

//===-- FatELF --------------------------------------------------------------------------------===//

typedef struct fatelf_record_t {
  uint16_t machine;
  uint8_t osabi, osabi_version, word_size, byte_order, reserved[2];
  uint64_t offset, size;
} fatelf_record_t;
static_assert(sizeof(fatelf_record_t) == 24, "records are 24 bytes in the file");

iree_status_t elf_file_select(iree_const_byte_span_t data, iree_const_byte_span_t *out_data) {
  *out_data = data;
  if (data.data_length < 8 || iree_unaligned_load_le_u32(data.data) != FATELF_MAGIC) {
    return iree_ok_status();
  }
  uint32_t version = iree_unaligned_load_le_u16(data.data + 4), count = data.data[6];
  if (version != 1) return malformed("unknown FatELF version");
  for (uint32_t i = 0; i < count; ++i) {
    fatelf_record_t record;
    uint64_t record_offset = 8 + (uint64_t)i * sizeof(record);
    if (!file_range(data, record_offset, sizeof(record))) return malformed("truncated FatELF");
    memcpy(&record, data.data + record_offset, sizeof(record));
    bool is_word_size_ours = record.word_size == (sizeof(void *) == 8 ? 2 : 1);
    if (record.machine != ELF_HOST_MACHINE || !is_word_size_ours || record.byte_order != 1)
      continue;
    if (!file_range(data, record.offset, record.size)) return malformed("FatELF record range");
    *out_data = iree_make_const_byte_span(data.data + record.offset, (iree_host_size_t)record.size);
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INCOMPATIBLE,
                          "none of the %u ELF files in the FatELF is for this machine", count);
}

//===-- ELF -----------------------------------------------------------------------------------===//

static iree_status_t check_header(iree_const_byte_span_t data, elf_header_t *out_header) {
  elf_header_t *header = out_header;
  if (data.data_length < sizeof(*header)) return malformed("shorter than its header");
  memcpy(header, data.data, sizeof(*header));
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return malformed("no ELF magic");
  if (header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != ELF_HOST_MACHINE) {
    return iree_make_status(IREE_STATUS_INCOMPATIBLE,
                            "ELF executable is for another machine (type %u, %s-bit) than this one "
                            "(type %u, %zu-bit); compile for this target",
                            header->e_machine,
                            header->e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32", ELF_HOST_MACHINE,
                            8 * sizeof(void *));
  }
  if (header->e_version != EV_CURRENT) return malformed("unknown ELF version");
  if (header->e_type != ET_DYN) return malformed("not a position-independent shared object");
  if (header->e_ehsize != sizeof(*header) || header->e_phentsize != sizeof(elf_segment_t)) {
    return malformed("header sizes");
  }
  if (!header->e_phnum || header->e_phnum > ELF_MAX_SEGMENTS) return malformed("segment count");
  if (!header->e_phoff ||
      !file_range(data, header->e_phoff, (uint64_t)header->e_phnum * sizeof(elf_segment_t))) {
    return malformed("program headers outside the file");
  }
  return iree_ok_status();
}

elf_segment_t elf_file_segment(const elf_file_t *file, uint32_t i) {
  elf_segment_t segment;
  memcpy(&segment, file->data.data + file->segments_offset + (uint64_t)i * sizeof(segment),
         sizeof(segment));
  return segment;
}

static iree_status_t check_load_segment(elf_file_t *file, const elf_segment_t *segment,
                                        uint64_t page_bytes) {
  uint64_t address_end = 0, alignment = segment->p_align ? segment->p_align : 1;
  if (!iree_is_power_of_two_uint64(alignment) || alignment > ELF_MAX_IMAGE_BYTES) {
    return malformed("segment alignment");
  }
  if (segment->p_filesz > segment->p_memsz ||
      !iree_device_size_checked_add(segment->p_vaddr, segment->p_memsz, &address_end) ||
      address_end > ELF_MAX_IMAGE_BYTES) {
    return malformed("segment size");
  }
  if ((segment->p_flags & PF_W) && (segment->p_flags & PF_X)) {
    return malformed("a segment is both writable and executable");
  }
  if (!segment->p_memsz) return iree_ok_status();
  uint64_t begin = segment->p_vaddr & ~(page_bytes - 1);
  uint64_t end = iree_align_uint64(address_end, page_bytes);
  file->address_begin = iree_min(file->address_begin, begin);
  file->address_end = iree_max(file->address_end, end);
  return iree_ok_status();
}

iree_status_t elf_file_parse(iree_const_byte_span_t data, uint64_t page_bytes,
                             elf_file_t *out_file) {
  elf_header_t header;
  IREE_RETURN_IF_ERROR(check_header(data, &header));
  elf_file_t file = {
      .data = data,
      .segments_offset = header.e_phoff,
      .segment_count = header.e_phnum,
      .address_begin = UINT64_MAX,
  };
  bool has_dynamic = false;
  for (uint32_t i = 0; i < file.segment_count; ++i) {
    elf_segment_t segment = elf_file_segment(&file, i);
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC && segment.p_type != PT_NOTE &&
        segment.p_type != PT_TLS) {
      continue;
    }
    if (segment.p_type == PT_TLS && segment.p_memsz) {
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                              "ELF executable has thread-local data, which kernels cannot use");
    }
    if (!file_range(data, segment.p_offset, segment.p_filesz)) {
      return malformed("a segment leaves the file");
    }
    if (segment.p_type == PT_LOAD) {
      IREE_RETURN_IF_ERROR(check_load_segment(&file, &segment, page_bytes));
    } else if (segment.p_type == PT_DYNAMIC && !has_dynamic) {
      file.dynamic = segment;
      has_dynamic = true;
    }
  }
  if (file.address_begin >= file.address_end) return malformed("nothing to load");
  if (!has_dynamic) return malformed("no dynamic segment");
  *out_file = file;
  return iree_ok_status();
}

//===-- the note of required features ---------------------------------------------------------===//

static iree_status_t read_note(const uint8_t *note, uint64_t length, uint64_t *out_words,
                               iree_host_size_t *out_word_count) {
  while (length >= 12) {
    uint64_t name_bytes = iree_unaligned_load_le_u32(note);
    uint64_t content_bytes = iree_unaligned_load_le_u32(note + 4);
    uint32_t type = iree_unaligned_load_le_u32(note + 8);
    uint64_t content_offset = 12 + iree_align_uint64(name_bytes, 4);
    uint64_t end = content_offset + iree_align_uint64(content_bytes, 4);
    if (content_offset > length || content_bytes > length - content_offset) {
      return malformed("a note leaves its segment");
    }
    if (name_bytes == IREE_ELF_NOTE_NAME_SIZE && type == IREE_ELF_NOTE_TYPE_PROCESSOR &&
        memcmp(note + 12, IREE_ELF_NOTE_NAME, IREE_ELF_NOTE_NAME_SIZE) == 0) {
      if (content_bytes % 8 || content_bytes / 8 > IREE_ELF_NOTE_MAX_WORDS || *out_word_count) {
        return malformed("the note of required CPU features");
      }
      memcpy(out_words, note + content_offset, (size_t)content_bytes);
      *out_word_count = (iree_host_size_t)content_bytes / 8;
    }
    if (end >= length) break;
    note += end;
    length -= end;
  }
  return iree_ok_status();
}

iree_status_t elf_file_required_processor(const elf_file_t *file, uint64_t *out_words,
                                          iree_host_size_t *out_word_count) {
  *out_word_count = 0;
  for (uint32_t i = 0; i < file->segment_count; ++i) {
    elf_segment_t segment = elf_file_segment(file, i);
    if (segment.p_type != PT_NOTE) continue;
    IREE_RETURN_IF_ERROR(
        read_note(file->data.data + segment.p_offset, segment.p_filesz, out_words, out_word_count));
  }
  return iree_ok_status();
}
