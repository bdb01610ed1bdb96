# flatten-server upon the image of flatten: make server-build && docker build -f Packaging/server.Dockerfile -t flatten-server .
FROM flatten
COPY Server/.build/release/flatten-server /usr/local/bin/
USER root
# A volume that is mounted there takes this owner.
RUN install -d -o flatten /state
USER flatten
ENV XDG_STATE_HOME=/state
ENTRYPOINT ["flatten-server", "--flatten", "/usr/bin/flatten"]
CMD []
