// `botstead restore`: restores an installation from a backup.
import { restoreFromFile } from '@botstead/server'
import { ownCommand } from '../../own-command.ts'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { openProgress } from '../../terminal/progress.ts'
import { wholeNumber } from '../../terminal/whole-number.ts'

export async function runRestore(
  file: string,
  { maxMb, json }: { maxMb?: string; json?: boolean },
): Promise<void> {
  const size = maxMb ? { maxMb: wholeNumber('--max-mb', maxMb) } : {}
  const progress = openProgress()
  const onProgress = (part: string) => progress.show(part)
  const { heading, signer, owner, hasChatKey } = await onThisMachine((config) =>
    restoreFromFile(config, file, { ...size, onProgress }),
  ).finally(progress.end)
  const { madeAt, version, files } = heading
  if (json)
    return console.log(JSON.stringify({ file, madeAt, version, signer, files, owner }))
  console.log(
    `Restored the installation as of ${madeAt} (Botstead ${version}), signed by ${signer}. The master ` +
      'key here decrypts its secrets.',
  )
  if (!hasChatKey)
    console.log(
      'There is no chat key here: copy keys/chat.key of that installation (or set BOTSTEAD_CHAT_KEY), ' +
        'or chat users need new user keys.',
    )
  if (owner && !files.includes('credentials.json'))
    console.log(
      'The backup has no token. Existing tokens stay valid. To create another with the same settings: ' +
        `${ownCommand} tokens create --account ${shellWord(owner)}`,
    )
  console.log(`Start the server with: ${ownCommand} start`)
}

/** Quotes an e-mail address for a shell where it has special characters. */
const shellWord = (text: string) =>
  /^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
