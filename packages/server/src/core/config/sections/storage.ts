// The data folder, and the bucket of file contents.

import { resolve } from 'node:path'
import { ConfigError, readUrl } from '../environment.ts'
import type { S3Settings } from '../provider-settings.ts'

export interface StorageSection {
  /** BOTSTEAD_DATA [./data]: Folder of the embedded database, files, keys and credentials. */
  dataFolder: string
  /**
   * S3_BUCKET [none]: Bucket for file contents, in place of the data folder. Needs both S3 keys below.
   * S3_ENDPOINT [AWS]: URL of an S3-compatible store; buckets are addressed by path.
   * S3_REGION [us-east-1]: Region of the bucket.
   * S3_ACCESS_KEY_ID [none]: Access key of the store.
   * S3_SECRET_ACCESS_KEY [none]: Secret key of the store.
   */
  s3: S3Settings | null
}

export const readStorageSection = (env: NodeJS.ProcessEnv): StorageSection => ({
  dataFolder: resolve(env.BOTSTEAD_DATA || 'data'),
  s3: readBucket(env, 'S3_BUCKET'),
})

export function readBucket(env: NodeJS.ProcessEnv, name: string): S3Settings | null {
  const bucket = env[name]
  const {
    S3_REGION: region = 'us-east-1',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env
  if (!bucket) return null
  if (!/^[\w.-]{1,255}$/.test(bucket))
    throw new ConfigError(
      `${name} must be a bucket name: 1 to 255 letters, digits, dots, underscores and hyphens`,
    )
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError(
      `${name} requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both`,
    )
  const endpoint =
    readUrl(env, 'S3_ENDPOINT', ['http:', 'https:']) ??
    `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, accessKeyId, secretAccessKey }
}
