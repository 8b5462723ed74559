// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds mutated copies of corpus files to one fuzz target, from a seed: equal seeds give equal runs.
//
//   x_fuzz [-n ITERATIONS] [-seconds SECONDS] [-seed SEED] [-only ITERATION] FILE...
//
// Each input is a heap block of its exact size, so that a sanitizer sees the first byte read beyond it. Iteration k of
// seed s depends on s and k alone; when one fails, the line printed last says how to run it by itself. An iteration that
// takes over ten seconds is a failure, and so is one for which the process grows beyond 3 GB; an allocation of over 1 GB
// fails as if memory had run out. The targets have libFuzzer's entry point (make config=libfuzzer fuzzers).
#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_FILES 512
#define MAX_MUTATIONS 8
#define SECONDS_PER_ITERATION 10

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
// Sanitizers abort, so that on_crash gets to say which iteration it was.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "abort_on_error=1:max_allocation_size_mb=1024:allocator_may_return_null=1:hard_rss_limit_mb=3072";
}
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "abort_on_error=1:print_stacktrace=1"; }

typedef struct file_t {
  uint8_t *data;
  size_t size;
} file_t;

// What a failure's report needs; signal handlers take no argument.
static struct {
  const char *program;
  uint64_t seed;
  uint64_t iteration;
} now;

static void report(void) {
  fprintf(stderr, "fuzz: failed; again: %s -seed %llu -only %llu FILES\n", now.program,
          (unsigned long long)now.seed, (unsigned long long)now.iteration);
}

static void on_alarm(int signal_number) {
  (void)signal_number;
  static const char text[] = "fuzz: no end after 10 s\n";
  if (write(2, text, sizeof(text) - 1) < 0) _exit(3);
  report();
  _exit(2);
}

static void on_crash(int signal_number) {
  report();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static uint64_t next(uint64_t *state) {  // splitmix64
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t limit) { return limit ? (size_t)(next(state) % limit) : 0; }

// Overwrites up to 8 bytes with a number that tends to sit at the edge of a check.
static void put_interesting(uint8_t *data, size_t size, uint64_t *state) {
  static const uint64_t values[] = {0,          1,          2,          0x7F,       0x80,       0xFF,
                                    0x7FFF,     0x8000,     0xFFFF,     0x10000,    0x7FFFFFFF, 0x80000000u,
                                    0xFFFFFFFF, 0x3FFFFFFF, UINT64_MAX, INT64_MAX,  (uint64_t)1 << 32};
  size_t width = (size_t)1 << below(state, 4);
  if (size < width) return;
  size_t at = below(state, size - width + 1);
  if (next(state) & 1) at -= at % width;
  uint64_t value = values[below(state, sizeof(values) / sizeof(values[0]))];
  if (!(next(state) & 7)) {  // near the value that stands there
    memcpy(&value, data + at, width);
    value += below(state, 9) - 4;
  }
  memcpy(data + at, &value, width);
}

static bool is_word(uint8_t c) { return isalnum(c) || strchr("_.$%@#!", c ? c : ' '); }

// Puts the |length| bytes at |from| in the place of |old_length| bytes of |data|.
static size_t replace(uint8_t *data, size_t size, size_t capacity, size_t at, size_t old_length, const uint8_t *from,
                      size_t length) {
  uint8_t copy[256];
  if (length > sizeof(copy)) length = sizeof(copy);
  if (length > capacity - (size - old_length)) return size;
  memcpy(copy, from, length);  // |from| may lie in |data|
  memmove(data + at + length, data + at + old_length, size - at - old_length);
  memcpy(data + at, copy, length);
  return size - old_length + length;
}

// The word or line of |data| about a random place.
static size_t piece(const uint8_t *data, size_t size, bool line, uint64_t *state, size_t *length) {
  size_t at = below(state, size), end = at;
  while (at && (line ? data[at - 1] != '\n' : is_word(data[at - 1]))) --at;
  while (end < size && (line ? data[end] != '\n' : is_word(data[end]))) ++end;
  *length = end - at + (line && end < size);
  return at;
}

// Text keeps most of its form when words and lines change places, so that more of it gets past a parser.
static size_t mutate_text(uint8_t *data, size_t size, size_t capacity, const file_t *other, uint64_t *state) {
  static const char *const words[] = {"0",  "1",    "-1",    "2", "64", "9223372036854775807", "-9223372036854775808", "4294967296",
                                      "?",  "i1",   "i8",    "i64", "f16", "f64", "index", "[]", "{}", "true", "dense<>", "!hal.buffer",
                                      "tensor<4xf32>", "tensor<0x3xi8>", "tensor<f32>", "%c0", "@none", "unit", "\"a b\"", "vector<4xf32>"};
  bool line = !(next(state) % 3);
  size_t length, from_length, at = piece(data, size, line, state, &length);
  if (line && !(next(state) & 1)) return replace(data, size, capacity, at, length, data, 0);  // a line less
  if (!line && next(state) & 1) {
    const char *word = words[below(state, sizeof(words) / sizeof(*words))];
    return replace(data, size, capacity, at, length, (const uint8_t *)word, strlen(word));
  }
  bool own = next(state) & 3;
  const uint8_t *source = own ? data : other->data;
  size_t from = piece(source, own ? size : other->size, line, state, &from_length);
  return replace(data, size, capacity, at, line && next(state) & 1 ? 0 : length, source + from, from_length);
}

// One change in place; the size may shrink or, within |capacity|, grow.
static size_t mutate(uint8_t *data, size_t size, size_t capacity, const file_t *other, bool text, uint64_t *state) {
  static const char tokens[] = "%#^!@<>(){}[]:=,\"-x?0123456789abcdef";
  if (size && text && next(state) & 7) return mutate_text(data, size, capacity, other, state);
  switch (below(state, 9)) {
    case 0:  // a bit
      if (size) data[below(state, size)] ^= (uint8_t)(1u << below(state, 8));
      return size;
    case 1:  // a byte
      if (size) data[below(state, size)] = (uint8_t)next(state);
      return size;
    case 2:
    case 3: put_interesting(data, size, state); return size;
    case 4:  // cut the end, rarely deeply
      return size - below(state, next(state) & 3 ? (size < 16 ? size : 16) : size);
    case 5: {  // remove a piece
      size_t at = below(state, size), length = below(state, size - at < 64 ? size - at : 64);
      if (size) memmove(data + at, data + at + length, size - at - length);
      return size - length;
    }
    case 6: {  // repeat a piece
      size_t at = below(state, size), length = below(state, size - at < 64 ? size - at : 64);
      if (length > capacity - size) length = capacity - size;
      memmove(data + at + length, data + at, size - at);
      return size + length;
    }
    case 7: {  // a piece of another file
      size_t from = below(state, other->size), at = below(state, size), length = below(state, 64);
      if (length > other->size - from) length = other->size - from;
      if (length > size - at) length = size - at;
      if (length) memcpy(data + at, other->data + from, length);
      return size;
    }
    default:  // a character that text formats give a meaning to
      if (size) data[below(state, size)] = (uint8_t)tokens[below(state, sizeof(tokens) - 1)];
      return size;
  }
}

static void run_one(const file_t *files, size_t count, uint64_t seed, uint64_t iteration) {
  uint64_t state = seed * 0x2545F4914F6CDD1Du + iteration;
  next(&state);
  const file_t *file = &files[iteration < count ? iteration : below(&state, count)];
  size_t capacity = file->size + MAX_MUTATIONS * 256, size = file->size;
  uint8_t *scratch = malloc(capacity);
  if (!scratch) exit(3);
  memcpy(scratch, file->data, size);
  size_t changes = iteration < count ? 0 : 1 + below(&state, MAX_MUTATIONS);  // first each file as it is
  for (size_t i = 0; i < changes; ++i)
    size = mutate(scratch, size, capacity, &files[below(&state, count)], file->size && !memchr(file->data, 0, file->size), &state);
  uint8_t *data = malloc(size ? size : 1);
  if (!data) exit(3);
  memcpy(data, scratch, size);
  free(scratch);
  alarm(SECONDS_PER_ITERATION);
  if (getenv("FUZZ_KEEP")) {  // the input as a file, to look at
    FILE *kept = fopen(getenv("FUZZ_KEEP"), "wb");
    if (kept) fwrite(data, 1, size, kept), fclose(kept);
  }
  LLVMFuzzerTestOneInput(data, size);
  alarm(0);
  free(data);
}

static file_t read_file(const char *path) {
  file_t file = {NULL, 0};
  FILE *stream = fopen(path, "rb");
  if (!stream || fseek(stream, 0, SEEK_END)) {
    fprintf(stderr, "fuzz: cannot read '%s'\n", path);
    exit(1);
  }
  long size = ftell(stream);
  rewind(stream);
  file.size = size > 0 ? (size_t)size : 0;
  file.data = malloc(file.size ? file.size : 1);
  if (!file.data || fread(file.data, 1, file.size, stream) != file.size) exit(1);
  fclose(stream);
  return file;
}

int main(int argc, char **argv) {
  uint64_t iterations = 10000, only = UINT64_MAX, done = 0;
  time_t end = 0;
  file_t files[MAX_FILES];
  size_t count = 0;
  now.program = argv[0];
  now.seed = 1;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "-n") && i + 1 < argc) {
      iterations = strtoull(argv[++i], NULL, 10);
    } else if (!strcmp(argv[i], "-seconds") && i + 1 < argc) {
      end = time(NULL) + atoi(argv[++i]);
    } else if (!strcmp(argv[i], "-seed") && i + 1 < argc) {
      now.seed = strtoull(argv[++i], NULL, 10);
    } else if (!strcmp(argv[i], "-only") && i + 1 < argc) {
      only = strtoull(argv[++i], NULL, 10);
    } else if (count < MAX_FILES) {
      files[count++] = read_file(argv[i]);
    }
  }
  if (!count) {
    fprintf(stderr, "usage: %s [-n ITERATIONS] [-seconds SECONDS] [-seed SEED] [-only ITERATION] FILE...\n", argv[0]);
    return 1;
  }
  signal(SIGALRM, on_alarm);
  signal(SIGABRT, on_crash);
#if !defined(__SANITIZE_ADDRESS__)
  signal(SIGSEGV, on_crash);
#endif
  for (bool more = true; more; ++done) {
    now.iteration = only == UINT64_MAX ? done : only;
    run_one(files, count, now.seed, now.iteration);
    more = only == UINT64_MAX && done + 1 < iterations && (!end || time(NULL) < end);
  }
  for (size_t i = 0; i < count; ++i) free(files[i].data);
  printf("%llu inputs, no finding\n", (unsigned long long)done);
  return 0;
}
