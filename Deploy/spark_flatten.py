"""A batch in Spark: each partition is a shard, a process beside the executor, and its records come back as rows.

    spark-submit Deploy/spark_flatten.py /data/captures.txt /data/flat 100 --text --report

List and output folder lie on a file system that all workers see.
"""
import json
import os
import subprocess
import sys
import time

from pyspark.sql import SparkSession

captures, output, shards, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
program = os.environ.get("FLATTEN", "flatten")
# Seconds that a shard may stay busy, and between two looks at it: a worker's time is over after 1,200 by the clock.
PATIENCE, PAUSE = 1800, 5


def flatten(shard):
    command = [program, "batch", captures, "-o", output, "--shard", f"{shard}/{shards}", "--jobs", "1"]
    for _ in range(PATIENCE // PAUSE):
        # One whose executor was lost ends by itself, as nobody reads its records; till then the shard is busy: 75.
        run = subprocess.run(command + ["--resume", "--records", "-", *options], stdout=subprocess.PIPE)
        if run.returncode != 75:
            break
        time.sleep(PAUSE)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"shard {shard}/{shards} ended with {run.returncode}")
    return [json.loads(line) for line in run.stdout.splitlines()]


spark = SparkSession.builder.appName("flatten").getOrCreate()
records = spark.sparkContext.parallelize(range(1, shards + 1), shards).flatMap(flatten).collect()
states = [record["state"] for record in records]
print(f"RESULT {states.count('done')} done, {states.count('failed')} failed")
spark.stop()
