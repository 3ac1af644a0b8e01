// `botstead export`: writes a workspace to one file.
import { exportToFile } from '@botstead/server'
import { UsageError } from '../../failure.ts'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { readPassphrase } from '../../terminal/passphrase.ts'
import { formatSize, openProgress } from '../../terminal/progress.ts'

interface ExportCommandOptions {
  output?: string
  passphraseFile?: string
  /** False with --no-secrets. */
  secrets: boolean
  json?: boolean
}

export async function exportOne(
  workspaceId: string,
  { output, passphraseFile, secrets, json }: ExportCommandOptions,
): Promise<void> {
  const passphrase = secrets ? readPassphrase(passphraseFile) : null
  if (secrets && !passphrase)
    throw new UsageError(
      'a passphrase for the secrets is required: pass --passphrase-file <file> or set ' +
        'BOTSTEAD_PASSPHRASE, or leave them out with --no-secrets',
    )
  const file = output ?? `${workspaceId}.botstead`
  const progress = openProgress()
  const onProgress = progress.adding((part, bytes) => `${part}, ${formatSize(bytes)}`)
  const result = await onThisMachine((config) =>
    exportToFile(config, workspaceId, file, { passphrase, onProgress }),
  ).finally(progress.end)
  if (json) return console.log(JSON.stringify({ file, secrets, ...result }))
  const { workspace, parts, bytes, signer } = result
  console.log(
    `Wrote ${workspace.name} (${workspace.id}) to ${file}: ${parts} parts, ${formatSize(bytes)} before ` +
      'compression',
  )
  console.log(`Signed by ${signer}`)
  console.log(
    secrets
      ? 'The passphrase encrypts the secrets only: conversations and files in the archive are readable. ' +
          'Protect the file.'
      : leftOut,
  )
}

const leftOut =
  'The archive has no secrets: after an import, set those of bots and integrations and the ' +
  'configurations of installed integrations, and deploy the bots again. Conversations and files in it ' +
  'are readable. Protect the file.'
