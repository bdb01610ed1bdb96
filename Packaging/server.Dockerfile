# flatten-server upon the image of flatten, with Swift's own libraries inside:
#   swift build --package-path Server -c release --static-swift-stdlib --product flatten-server
#   docker build -f Packaging/server.Dockerfile -t flatten-server .
FROM flatten
COPY Server/.build/release/flatten-server /usr/local/bin/
USER root
# A volume that is mounted there takes this owner.
RUN install -d -o flatten /state
USER flatten
ENV XDG_STATE_HOME=/state
ENTRYPOINT ["flatten-server", "--flatten", "/usr/bin/flatten"]
CMD []
