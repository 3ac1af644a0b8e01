// Where content lies, by the settings: in a bucket, or in the data folder.
import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import type { S3Settings } from './s3.ts'

/** The client of buckets is loaded only where there is one. */
export const openBlobs = async ({
  s3,
  dataFolder,
}: {
  s3: S3Settings | null
  dataFolder: string
}): Promise<Blobs> =>
  s3 ? (await import('./s3.ts')).openS3Blobs(s3) : openDiskBlobs(join(dataFolder, 'files'))
