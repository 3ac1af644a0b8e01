// One server with its embedded database in a small file system in memory, which another file fills
// and frees again.
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { closeServer } from './kills.ts'
import { Missing, requireProgram } from './programs.ts'
import { findFreePort, LabServer } from './servers.ts'
import { type OpenStage, orClose } from './stage.ts'

const run = promisify(execFile)
const megabytes = 1024

export const openDisk: OpenStage = async (folder, chance) => {
  const data = join(folder, 'data')
  await mountMemory(data)
  const unmount = async () => void (await run('umount', [data]))
  const server = new LabServer({ folder: data, port: await findFreePort() })
  await orClose(server.start(), unmount)
  const ballast = join(data, 'ballast')
  return {
    servers: [server],
    origins: [server.origin],
    pauseMs: [2_000, 4_000],
    faults: {
      'full disk': {
        outage: true,
        async run() {
          await fill(ballast)
          await pause(chance.between(2_000, 6_000))
          await rm(ballast)
          await server.ready()
        },
      },
    },
    async close() {
      await closeServer(server)
      // The database may need a moment to end.
      for (let attempt = 0; attempt < 20; attempt++) {
        const unmounted = await unmount().then(
          () => true,
          () => pause(500, false),
        )
        if (unmounted) return
      }
      throw new Error(`${data} is still mounted: run umount ${data}`)
    },
  }
}

async function mountMemory(folder: string) {
  const mount = requireProgram('mount', 'mount')
  await mkdir(folder, { mode: 0o700 })
  const size = `size=${megabytes}m,mode=0700`
  await run(mount, ['-t', 'tmpfs', '-o', size, 'botstead-lab', folder]).catch((error) => {
    throw new Missing(
      `disk mounts a file system of ${megabytes} MB in memory. Run it as root, in a container with ` +
        `CAP_SYS_ADMIN (${error.message.trim()})`,
    )
  })
}

/** Writes until the last 4 KB are used. */
async function fill(path: string) {
  const file = await open(path, 'w')
  try {
    for (const bytes of [2 ** 20, 4096]) while (await hasRoom(file, Buffer.alloc(bytes)));
  } finally {
    await file.close()
  }
}

async function hasRoom(
  file: Awaited<ReturnType<typeof open>>,
  bytes: Buffer,
): Promise<boolean> {
  try {
    const { bytesWritten } = await file.write(bytes)
    return bytesWritten === bytes.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
