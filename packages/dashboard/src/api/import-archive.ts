// Sends an archive to the server, which imports it as it arrives.
import { RequestError, Unreachable } from '@botstead/client'

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
    request.upload.onprogress = ({ loaded, total }) => onSent(Math.floor((100 * loaded) / total))
    request.onerror = () => reject(new Unreachable('The server cannot be reached'))
    request.onload = () => {
      const { status, response } = request
      if (status === 200) resolve(response)
      else reject(new RequestError(new Response(null, { status }), response))
    }
    request.send(file)
  })
}
