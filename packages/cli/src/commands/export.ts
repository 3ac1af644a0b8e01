// `botstead export`: a workspace as one file, to be kept or to be taken elsewhere.
import { exportToFile } from '@botstead/server'
import { Misuse } from '../failure.ts'
import { onThisMachine } from '../on-this-machine.ts'
import { readPassphrase } from '../passphrase.ts'
import { openProgress, sizeOf } from '../progress.ts'

export interface ExportOptions {
  output?: string
  passphraseFile?: string
  /** False with --no-secrets. */
  secrets: boolean
  json?: boolean
}

export async function exportOne(
  workspaceId: string,
  { output, passphraseFile, secrets, json }: ExportOptions,
): Promise<void> {
  const passphrase = secrets ? readPassphrase(passphraseFile) : null
  if (secrets && !passphrase)
    throw new Misuse(
      'say what is to become of the secrets: lock them with --passphrase-file <file> or BOTSTEAD_PASSPHRASE, or leave them out with --no-secrets',
    )
  const file = output ?? `${workspaceId}.botstead`
  const progress = openProgress()
  const onProgress = progress.adding((part, bytes) => `${part}, ${sizeOf(bytes)}`)
  const made = await onThisMachine((config) =>
    exportToFile(config, workspaceId, file, { passphrase, onProgress }),
  ).finally(progress.end)
  if (json) return console.log(JSON.stringify({ file, secrets, ...made }))
  console.log(
    `Wrote ${made.workspace.name} (${made.workspace.id}) to ${file}: ${made.parts} parts, ${sizeOf(made.bytes)} before packing`,
  )
  console.log(`Signed by ${made.signer}`)
  console.log(
    secrets
      ? 'Secrets are in it, locked with the passphrase; conversations and files can be read by whoever has the file.'
      : leftOut,
  )
}

const leftOut =
  'Secrets were left out: those of bots and integrations, the configurations of what is installed, and the versions of bots have to be given again. Conversations and files can be read by whoever has the file.'
