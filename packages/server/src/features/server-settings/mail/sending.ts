// Sends one e-mail by the server of the settings.
import { ChannelError, loadPlainMail } from '@botstead/channels'
import { InvocationFailed } from '@botstead/sandbox'
import type { MailSettings } from '../../../core/config/index.ts'
import type { Outgoing } from '../../../core/outgoing/index.ts'

export interface NewMail {
  recipient: string
  subject: string
  text: string
}

/** The message is for the operator, and names the remedy. */
export class MailFailed extends Error {}

const timeoutMs = 30_000

/** `id` is part of the `Message-ID`. Throws MailFailed. */
export async function sendMail(
  outgoing: Pick<Outgoing, 'resolve'>,
  settings: MailSettings,
  { recipient: to, subject, text }: NewMail,
  id: string,
): Promise<void> {
  const sendPlainMail = await loadPlainMail()
  const surroundings = {
    signal: AbortSignal.timeout(timeoutMs),
    resolve: (host: string) => outgoing.resolve(null, host),
  }
  try {
    await sendPlainMail(settings, { id, to, subject, text }, surroundings)
  } catch (error) {
    if (error instanceof InvocationFailed) throw new MailFailed(error.detail)
    if (error instanceof ChannelError) throw new MailFailed(error.message)
    throw error
  }
}
