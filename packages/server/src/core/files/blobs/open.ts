// Opens the configured store: a bucket, or a folder in the data folder.
import { join } from 'node:path'
import type { S3Settings } from '../../config/index.ts'
import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'

/** Loads the S3 client at the first use. */
export const openBucket = async (settings: S3Settings): Promise<Blobs> =>
  (await import('./s3.ts')).openS3Blobs(settings)

export const openBlobs = async (
  { s3, dataFolder }: { s3: S3Settings | null; dataFolder: string },
  onDiskFull?: () => void,
): Promise<Blobs> =>
  s3 ? openBucket(s3) : openDiskBlobs(join(dataFolder, 'files'), onDiskFull)
