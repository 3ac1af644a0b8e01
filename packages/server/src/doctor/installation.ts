// The machine and the process: what they let the server do.
import { constants } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { NoSuchBlob } from '../blobs/blobs.ts'
import type { Config } from '../config.ts'
import { readProcessLimits, tooLow } from '../lib/process-limits.ts'
import { type Check, finding } from './finding.ts'

const oldestNode = [20, 19] as const

async function node() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
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
    'start it as a user that owns nothing but its data folder',
    'advice',
  )
}

/** Below these no server starts. */
async function limits() {
  const low = readProcessLimits().find(({ value, needed }) => value < needed)
  return low ? finding('installation', tooLow(low), false, 'raise it before the next start') : null
}

async function dataFolder({ dataFolder }: Config) {
  const there = await stat(dataFolder).catch(() => null)
  if (!there)
    return finding('installation', `the data folder ${dataFolder} is made at the first start`, true, '')
  const canWrite = await access(dataFolder, constants.W_OK).then(
    () => true,
    () => false,
  )
  return finding(
    'installation',
    `the data folder ${dataFolder} can be written`,
    canWrite,
    'let the user that starts the server own it, or set BOTSTEAD_DATA',
  )
}

const leastFree = 0.05

async function space({ dataFolder }: Config) {
  const disk = await statfs(dataFolder).catch(() => statfs('.'))
  const free = disk.bavail / disk.blocks
  return finding(
    'installation',
    `${Math.floor(free * 100)} % of the disk is free`,
    free >= leastFree,
    'make room: below 5 % the server says that it is not ready',
  )
}

/** A listener holds a connection, and a connection a file. */
const enoughFiles = 16_384

/** A bucket that lets us look for what is not there is one that knows us. */
async function bucket({ s3 }: Config) {
  if (!s3) return null
  const { openS3Blobs } = await import('../blobs/s3.ts')
  const trouble = await openS3Blobs(s3)
    .read('doctor')
    .then(
      () => null,
      (error) => (error instanceof NoSuchBlob ? null : reasonOf(error)),
    )
  const what =
    trouble === null
      ? `the bucket ${s3.bucket} can be read`
      : `the bucket ${s3.bucket} cannot be read: ${trouble}`
  return finding(
    'installation',
    what,
    trouble === null,
    'see to S3_BUCKET, S3_ENDPOINT, S3_REGION and the keys',
  )
}

const reasonOf = (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message)

/** The soft one; null where the system does not say. */
const limitOf = async (what: string) =>
  new RegExp(`^${what}\\s+(\\S+)`, 'm').exec(
    await readFile('/proc/self/limits', 'utf8').catch(() => ''),
  )?.[1] ?? null

async function openFiles() {
  const text = await limitOf('Max open files')
  if (!text) return null
  const isEnough = text === 'unlimited' || Number(text) >= enoughFiles
  return finding(
    'installation',
    `${text} files may be open`,
    isEnough,
    `for thousands of listeners: ulimit -n ${enoughFiles}, or LimitNOFILE in its systemd unit`,
    'advice',
  )
}

async function inspector() {
  const isOpen = /--inspect/.test(process.env.NODE_OPTIONS ?? '')
  return finding(
    'installation',
    isOpen ? 'NODE_OPTIONS opens the inspector' : 'no inspector is open',
    !isOpen,
    'take --inspect out of NODE_OPTIONS: who reaches it controls the server',
  )
}

async function coreDumps() {
  const text = await limitOf('Max core file size')
  if (!text) return null
  const areOff = text === '0'
  return finding(
    'installation',
    areOff ? 'a crash leaves no copy of the memory' : 'a crash may leave a copy of the memory',
    areOff,
    coreAdvice,
    'advice',
  )
}
const coreAdvice = 'keys and messages are in it: ulimit -c 0, or LimitCORE=0 in its systemd unit'

/** No setting turns it on: there is nothing of the kind. */
async function telemetry() {
  return finding('installation', 'sends nothing anywhere: no telemetry, no look for updates', true, '')
}

export const installationChecks: Check[] = [
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
