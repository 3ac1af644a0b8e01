// Finds installed programs, and says how to install missing ones.
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The run cannot start on this machine. */
export class Missing extends Error {}

/** Ordinary users have no `/usr/sbin` in their path. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

export function requireProgram(name: string, debianPackage: string): string {
  const found = folders.map((folder) => join(folder, name)).find(isExecutable)
  if (!found)
    throw new Missing(
      `${name} is not installed. On Debian: apt-get install ${debianPackage}`,
    )
  return found
}

/** Returns the folder of PostgreSQL's programs, of the newest version. */
export function requirePostgres(): string {
  const found = versions('/usr/lib/postgresql')
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join('/usr/lib/postgresql', version, 'bin'))
  const places = [...found, ...folders]
  const folder = places.find((place) =>
    ['initdb', 'postgres', 'pg_basebackup'].every((name) =>
      isExecutable(join(place, name)),
    ),
  )
  if (!folder)
    throw new Missing(
      'PostgreSQL is not installed. On Debian: apt-get install postgresql',
    )
  return folder
}

function versions(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
