// `botstead restore`: a backup becomes an installation again.
import { restoreFromFile } from '@botstead/server'
import { onThisMachine } from '../on-this-machine.ts'
import { openProgress } from '../progress.ts'
import { wholeNumber } from '../whole-number.ts'

export async function restore(
  file: string,
  { maxMb, json }: { maxMb?: string; json?: boolean },
): Promise<void> {
  const size = maxMb ? { mostMb: wholeNumber('--max-mb', maxMb) } : {}
  const progress = openProgress()
  const onProgress = (part: string) => progress.say(part)
  const { heading, signer, owner } = await onThisMachine((config) =>
    restoreFromFile(config, file, { ...size, onProgress }),
  ).finally(progress.end)
  const { madeAt, version, files } = heading
  if (json) return console.log(JSON.stringify({ file, madeAt, version, signer, files, owner }))
  console.log(
    `Restored the installation as it was on ${madeAt} (Botstead ${version}), signed by ${signer}. Its secrets open with the key that is here.`,
  )
  if (!files.includes('keys/chat.key'))
    console.log(
      'Chat users whose keys this server signs need keys/chat.key of that installation, too (or BOTSTEAD_CHAT_KEY).',
    )
  if (owner && !files.includes('credentials.json'))
    console.log(
      `There is no token in it. Make one, with the same settings: botstead tokens create --account ${shellWord(owner)}`,
    )
  console.log('botstead start brings it up')
}

/** As a shell takes it: an e-mail address may hold what a shell would read otherwise. */
const shellWord = (text: string) => (/^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
