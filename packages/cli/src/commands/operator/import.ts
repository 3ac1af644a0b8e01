// `botstead import`: imports a workspace from a file, with its ids.
import { importFromFile } from '@botstead/server'
import { ownCommand } from '../../own-command.ts'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { readPassphrase } from '../../terminal/passphrase.ts'
import { toPrintable } from '../../terminal/printable.ts'
import { openProgress } from '../../terminal/progress.ts'
import { wholeNumber } from '../../terminal/whole-number.ts'

interface ImportCommandOptions {
  passphraseFile?: string
  signedBy?: string
  maxMb?: string
  json?: boolean
}

export async function importOne(
  file: string,
  { passphraseFile, signedBy = '', maxMb, json }: ImportCommandOptions,
): Promise<void> {
  const options = {
    passphrase: readPassphrase(passphraseFile),
    signedBy: signedBy || null,
    ...(maxMb && { maxMb: wholeNumber('--max-mb', maxMb) }),
  }
  const progress = openProgress()
  const onProgress = progress.adding((part, count) => `${part}, ${count} rows`)
  const { heading, signer, rows, firstToken, warnings } = await onThisMachine((config) =>
    importFromFile(config, file, { ...options, onProgress }),
  ).finally(progress.end)
  const { workspace, locked, madeAt } = heading
  for (const warning of warnings)
    console.error(`${toPrintable(warning, 'line')} (warning)`)
  if (json)
    return console.log(
      JSON.stringify({
        workspace,
        secrets: locked !== undefined,
        signer,
        rows,
        madeAt,
        warnings,
        ...(firstToken && { firstToken }),
      }),
    )
  console.log(
    `Imported ${workspace.name} (${workspace.id}) as of ${madeAt}: ${rows} rows, signed by ${signer}`,
  )
  if (!locked)
    console.log(
      'The archive has no secrets: set those of bots and integrations and the configurations of ' +
        'installed integrations.',
    )
  if (firstToken)
    console.log(
      process.stdout.isTTY
        ? `No member has a token here yet. New token for ${firstToken.email}, shown only now: ` +
            `${firstToken.value}`
        : `No member has a token here yet. Create one: ${ownCommand} tokens create --account ` +
            firstToken.email,
    )
  console.log(
    'If this server has another chat key (keys/chat.key) than the exporting one, chat users need new ' +
      'user keys.',
  )
}
