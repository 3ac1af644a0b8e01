# Builds the package from this clone, and installs it on Debian with bubblewrap and without npm's cache. See
# docs/deployment.md. `node scripts/machines/try-machines.js` runs these steps without Docker.
ARG BASE=node:22-bookworm-slim

FROM ${BASE} AS package
WORKDIR /src
COPY . .
RUN npm ci && npm run pack

FROM ${BASE} AS installed
COPY --from=package /src/botstead-*.tgz /tmp/
RUN npm install --global --prefix /opt/botstead --ignore-scripts /tmp/botstead-*.tgz

FROM ${BASE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap tini \
  && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data botstead \
  && install -d -o botstead -g botstead -m 700 /data /backups
COPY --from=installed /opt/botstead /opt/botstead
ENV PATH=/opt/botstead/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENV BOTSTEAD_DATA=/data BOTSTEAD_BACKUPS=/backups BOTSTEAD_HOST=0.0.0.0 NODE_ENV=production
USER botstead
WORKDIR /data
VOLUME ["/data", "/backups"]
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BOTSTEAD_PORT ?? 4000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini ends processes of hosted code that outlived their parent.
ENTRYPOINT ["tini", "--", "botstead"]
CMD ["start"]
