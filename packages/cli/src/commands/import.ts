// `botstead import`: a workspace out of a file, with its ids.
import { importFromFile } from '@botstead/server'
import { onThisMachine } from '../on-this-machine.ts'
import { readPassphrase } from '../passphrase.ts'
import { openProgress } from '../progress.ts'
import { wholeNumber } from '../whole-number.ts'

export interface ImportOptions {
  passphraseFile?: string
  signedBy?: string
  maxMb?: string
  json?: boolean
}

export async function importOne(
  file: string,
  { passphraseFile, signedBy = '', maxMb, json }: ImportOptions,
): Promise<void> {
  const options = {
    passphrase: readPassphrase(passphraseFile),
    signedBy: signedBy || null,
    ...(maxMb && { mostMb: wholeNumber('--max-mb', maxMb) }),
  }
  const progress = openProgress()
  const onProgress = progress.adding((part, count) => `${part}, ${count} rows`)
  const { heading, signer, rows, firstToken } = await onThisMachine((config) =>
    importFromFile(config, file, { ...options, onProgress }),
  ).finally(progress.end)
  const { workspace, locked } = heading
  if (json)
    return console.log(
      JSON.stringify({
        workspace,
        secrets: locked !== undefined,
        signer,
        rows,
        madeAt: heading.madeAt,
        ...(firstToken && { firstToken }),
      }),
    )
  console.log(
    `Took in ${workspace.name} (${workspace.id}), as it was on ${heading.madeAt}: ${rows} rows, signed by ${signer}`,
  )
  if (!locked)
    console.log(
      'Its secrets were left out when it was made: give those of bots and integrations, and the configurations of what is installed, again.',
    )
  if (firstToken)
    console.log(
      process.stdout.isTTY
        ? `Nobody in it has a token here yet. One for ${firstToken.email}, shown this once: ${firstToken.value}`
        : `Nobody in it has a token here yet. Make one: botstead tokens create --account ${firstToken.email}`,
    )
  console.log(
    'Chat users need new keys where this server signs them with another key than the one before (keys/chat.key).',
  )
}
