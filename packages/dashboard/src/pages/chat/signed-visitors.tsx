// The key with which the owner's website signs user keys, and how to use it.
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { CopyField } from '../../parts/forms/copy-field.tsx'
import { Section } from '../../parts/section.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.chat

/** Node has all that an HS256 token needs. */
const example = `import { createHmac } from 'node:crypto'

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

// An id has only letters, digits and _ - / \\, so an e-mail address is none.
// The key expires after one hour.
export function userKeyOf(userId) {
  const exp = Math.floor(Date.now() / 1000) + 3600
  const token = \`\${encode({ alg: 'HS256', typ: 'JWT' })}.\${encode({ id: userId, exp })}\`
  const hmac = createHmac('sha256', process.env.CHAT_ENCRYPTION_KEY)
  return \`\${token}.\${hmac.update(token).digest('base64url')}\`
}`

interface SignedVisitorsProps {
  encryptionKey: string
  snippet: string
  /** Without a key, visitors are anonymous. */
  save: (encryptionKey: string | undefined) => Promise<unknown>
}

export function SignedVisitors({ encryptionKey, snippet, save }: SignedVisitorsProps) {
  // Stays as it was while the dialog closes.
  const [change, setChange] = useState<'require' | 'allow' | null>(null)
  const mayUpdate = useMay()('bots.update')
  const isOn = encryptionKey !== ''
  return (
    <Section title={t.signed} hint={isOn ? t.signedOn : t.signedOff}>
      {isOn && (
        <>
          {mayUpdate && <Labelled label={t.encryptionKey} value={encryptionKey} />}
          <Text size="sm" c="dimmed">
            {t.signHint}
          </Text>
          <CopyField value={example} isBlock />
          <Labelled label={t.signedSnippet} value={toSignedSnippet(snippet)} />
        </>
      )}
      {mayUpdate && (
        <Group>
          <Button variant="default" onClick={() => setChange(isOn ? 'allow' : 'require')}>
            {isOn ? t.allowAnonymous : t.requireKeys}
          </Button>
        </Group>
      )}
      {change && (
        <Confirm
          title={change === 'allow' ? t.allowAnonymous : t.requireKeys}
          button={change === 'allow' ? t.allowAnonymous : t.requireKeys}
          harmless
          onConfirm={() => save(change === 'allow' ? undefined : newKey())}
          onClose={() => setChange(null)}
        >
          {change === 'allow' ? t.allowAnonymousEffect : t.requireKeysEffect}
        </Confirm>
      )}
    </Section>
  )
}

export const toSignedSnippet = (snippet: string) =>
  snippet.replace('>', ' data-user-key="…">')

/** 256 random bits, as long as the hash of the signature. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

export function Labelled({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {label}
      </Text>
      <CopyField value={value} />
    </div>
  )
}
