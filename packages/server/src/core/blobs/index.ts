import { bindings } from './services.ts'

export const blobsModule = { name: 'blobs', bindings }
export { BlobNotFound, type Blobs, blobsAreRead, lockBlobs, unlockBlobs } from './blobs.ts'
export { openBlobs, openBucket } from './open.ts'
export type { S3Settings } from './s3.ts'
export type { BlobServices } from './services.ts'
