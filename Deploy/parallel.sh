#!/bin/sh
# A batch on a few machines that are reached by ssh and see one file system (GNU parallel), as many shards as processors:
#   Deploy/parallel.sh node1,node2,node3 24 /data/captures.txt /data/flat --text --report
set -eu
machines=$1 shards=$2 captures=$3 output=$4
shift 4
seq "$shards" | parallel --sshlogin "$machines" --retries 3 \
    "${FLATTEN:-flatten}" batch "$captures" -o "$output" --shard "{}/$shards" --resume --jobs 1 "$@"
