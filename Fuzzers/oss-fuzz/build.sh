#!/bin/bash -eu
# Builds the fuzzers as OSS-Fuzz wants them: in $OUT a program READER_fuzzer for each reader, its seeds, its dictionary, and the
# libraries that the machine which runs them lacks. The service sets SRC, OUT and SANITIZER (address, thread, coverage).
cd "$SRC/receipt-flattening"
work=$PWD/.build/oss-fuzz
# Absent outside the service.
if [[ -e /usr/local/bin/llvm-symbolizer-swift ]]; then cp /usr/local/bin/llvm-symbolizer-swift "$OUT/llvm-symbolizer"; fi

# All that it links and loads lies beside it. The old kind of search path, since the libraries' own needs are found by it too.
Scripts/build-fuzzers "$work/build" "${SANITIZER:-address}" \
    --static-swift-stdlib -Xlinker -rpath -Xlinker "\$ORIGIN/lib" -Xlinker --disable-new-dtags
binary=$work/build/release/fuzz

mkdir -p "$OUT/lib"
# Those that are loaded at run time, by the names under which the readers ask for them.
loaded=$(ldconfig -p | grep -oE '/[^ ]*/(libzip|libheif|libOpenEXRCore[^ ]*)\.so\.[0-9]+$' || true)
# shellcheck disable=SC2086 # a list
ldd "$binary" $loaded | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | cat - <(printf '%s\n' $loaded) | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread)\.so\.[0-9]+$' | xargs -I{} cp -L {} "$OUT/lib/"

rm -rf "$work/seeds"
Scripts/fuzz-seeds "$work/seeds"
for reader in $("$binary" 2>&1 | sed -n 's/^FUZZ_READER is one of: //p'); do
    # The program reads its own name.
    ln -f "$binary" "$OUT/${reader}_fuzzer" 2> /dev/null || cp "$binary" "$OUT/${reader}_fuzzer"
    cp "$work/seeds/$reader.dict" "$OUT/${reader}_fuzzer.dict"
    printf '[libfuzzer]\nmax_len = 65536\ntimeout = 10\nrss_limit_mb = 1024\n' > "$OUT/${reader}_fuzzer.options"
    rm -f "$OUT/${reader}_fuzzer_seed_corpus.zip"
    zip -q -j "$OUT/${reader}_fuzzer_seed_corpus.zip" "$work/seeds/corpus-$reader"/*
done
