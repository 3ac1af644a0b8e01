// An S3-compatible store: verifies signatures with MINIO_ROOT_USER and MINIO_ROOT_PASSWORD. Its last argument
// is the folder.
const S3rver = require('s3rver')
const Account = require('s3rver/lib/models/account')

const { MINIO_ROOT_USER: id, MINIO_ROOT_PASSWORD: secret } = process.env
new Account('1', id).createKeyPair(id, secret)
new S3rver({
  address: '0.0.0.0',
  port: 9000,
  directory: process.argv.at(-1),
  // The host is the name of a service, and no bucket.
  vhostBuckets: false,
  silent: true,
}).run()
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit())
