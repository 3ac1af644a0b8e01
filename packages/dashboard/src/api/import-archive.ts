// Sends an archive to the server, which imports it as it arrives.
import { RequestError, Unreachable } from '@botstead/client'
import { InputError } from '../parts/forms/input-error.ts'
import { texts } from '../texts/texts.ts'

const t = texts.bots.archive

export interface Imported {
  workspace: { id: string; name: string }
  hasSecrets: boolean
  signer: string
  rows: number
}

/** `onSent` gets the percentage of the file that is sent: `fetch` does not report it. */
export function importArchive(
  file: File,
  passphrase: string,
  onSent: (percent: number) => void,
): Promise<Imported> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/v1/platform/installation/imports')
    request.setRequestHeader('content-type', 'application/gzip')
    request.setRequestHeader('x-botstead-session', '1')
    if (passphrase)
      request.setRequestHeader('x-botstead-passphrase', encodeURIComponent(passphrase))
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) =>
      onSent(Math.floor((100 * loaded) / total))
    request.onerror = async () => reject(await explainInterruption())
    request.onload = () => {
      const { status, response } = request
      if (status === 200) resolve(response)
      // Botstead itself sends a reason.
      else if (status === 413 && !response)
        reject(new InputError(t.tooLarge, t.tooLargeHint))
      else reject(new RequestError(new Response(null, { status }), response))
    }
    request.send(file)
  })
}

/** A proxy that limits the size of bodies may end the connection before the browser reads why. */
async function explainInterruption(): Promise<Error> {
  const isReachable = await fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  )
  return isReachable
    ? new InputError(t.interrupted, t.tooLargeHint)
    : new Unreachable('The server cannot be reached')
}
