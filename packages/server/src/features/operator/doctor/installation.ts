// Checks the machine and the process: Node, user, data folder, disk, bucket and system limits.

import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { findLowLimit } from '@botstead/lib'
import type { Section } from '../../../core/config/index.ts'
import { BlobNotFound, openBucket } from '../../../core/files/index.ts'
import { diskSpace } from '../../../core/installation/index.ts'
import { type DoctorCheck, finding } from './finding.ts'

const oldestNode = [20, 19] as const

async function node() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough =
    major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return finding(
    'installation',
    `Node ${process.versions.node}`,
    isNewEnough,
    `install Node ${oldestNode.join('.')} or newer`,
  )
}

async function notRoot() {
  if (!process.getuid) return null
  const isRoot = process.getuid() === 0
  return finding(
    'installation',
    isRoot ? 'runs as root' : 'runs as an ordinary user',
    !isRoot,
    'start the server as a user that owns only the data folder',
    'advice',
  )
}

/** Reports limits below which the server does not start. */
async function limits() {
  const low = findLowLimit()
  return low
    ? finding('installation', low, false, 'raise the limit before the next start')
    : null
}

async function dataFolder({ dataFolder }: Section<'storage'>) {
  const there = await stat(dataFolder).catch(() => null)
  if (!there)
    return finding(
      'installation',
      `the first start creates the data folder ${dataFolder}`,
      true,
      '',
    )
  const canWrite = await access(dataFolder, constants.W_OK).then(
    () => true,
    () => false,
  )
  return finding(
    'installation',
    `the data folder ${dataFolder} is ${canWrite ? 'writable' : 'not writable'}`,
    canWrite,
    'give it to the user that starts the server (chown), or set BOTSTEAD_DATA',
  )
}

async function space({ dataFolder }: Section<'storage'>) {
  const space = await diskSpace.read(dataFolder).catch(() => diskSpace.read('.'))
  const { percent, isLow } = diskSpace.toFreeShare(space)
  return finding(
    'installation',
    `${percent} % of the disk is free`,
    !isLow,
    'free disk space: before the disk is full, the server rejects writes',
    diskSpace.isFull(space) ? 'bad' : 'advice',
  )
}

/** Each listener has a connection, and each connection an open file. */
const enoughFiles = 16_384

/** Reads a file that does not exist: "not found" shows that address and keys are valid. */
async function bucket({ s3 }: Section<'storage'>) {
  if (!s3) return null
  const opened = await openBucket(s3)
  const problem = await opened.read('doctor').then(
    () => null,
    (error) => (error instanceof BlobNotFound ? null : toReason(error)),
  )
  const what =
    problem === null
      ? `the bucket ${s3.bucket} can be read`
      : `the bucket ${s3.bucket} cannot be read: ${problem}`
  return finding(
    'installation',
    what,
    problem === null,
    'check S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  )
}

const toReason = (error: Error) =>
  error.cause instanceof Error ? error.cause.message : error.message

/** Returns the soft limit of this name; null where the system does not report it. */
const readLimit = async (name: string) =>
  new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(
    await readFile('/proc/self/limits', 'utf8').catch(() => ''),
  )?.[1] ?? null

async function openFiles() {
  const text = await readLimit('Max open files')
  if (!text) return null
  const isEnough = text === 'unlimited' || Number(text) >= enoughFiles
  return finding(
    'installation',
    `the limit on open files is ${text}`,
    isEnough,
    `for thousands of listeners set ulimit -n ${enoughFiles}, or LimitNOFILE in the systemd unit`,
    'advice',
  )
}

async function inspector() {
  const isOpen = /--inspect/.test(process.env.NODE_OPTIONS ?? '')
  return finding(
    'installation',
    isOpen ? 'NODE_OPTIONS opens the inspector' : 'the inspector is closed',
    !isOpen,
    'remove --inspect from NODE_OPTIONS: the inspector gives full control of the server',
  )
}

async function coreDumps() {
  const text = await readLimit('Max core file size')
  if (!text) return null
  const areOff = text === '0'
  return finding(
    'installation',
    areOff ? 'core dumps are disabled' : 'core dumps are enabled',
    areOff,
    coreAdvice,
    'advice',
  )
}
const coreAdvice =
  'core dumps contain keys and messages: set ulimit -c 0, or LimitCORE=0 in the systemd unit'

/** Always good: there is no telemetry, and no setting for it. */
async function telemetry() {
  return finding('installation', 'no telemetry, no update check', true, '')
}

export const installationChecks: DoctorCheck[] = [
  node,
  notRoot,
  dataFolder,
  space,
  bucket,
  limits,
  openFiles,
  coreDumps,
  inspector,
  telemetry,
]
