export { BlobNotFound, type Blobs, blobsAreRead, lockBlobs, unlockBlobs } from './blobs.ts'
export { openBlobs, openBucket } from './open.ts'
export type { S3Settings } from './s3.ts'
export { type BlobServices, blobBindings } from './services.ts'
