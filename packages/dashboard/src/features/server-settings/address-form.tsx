// The public address.
import { Anchor, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../texts/texts.ts'
import { SettingForm } from './setting-form.tsx'
import type { ServerSettings } from './use-setting.ts'

const t = texts.serverSettings.address

export function AddressForm({ settings }: { settings: ServerSettings }) {
  const { address, publicUrl } = settings
  const stored = address.value?.url ?? ''
  const [url, setUrl] = useState(stored)
  const isElsewhere = address.value !== null && publicUrl !== location.origin
  return (
    <SettingForm
      name="address"
      setting={address}
      change={{ address: { url } }}
      isChanged={url !== stored}
      state={
        <Text size="sm" className="foreign">
          {t.inUse(publicUrl)}
        </Text>
      }
    >
      <TextInput
        label={t.url}
        type="url"
        placeholder={t.placeholder}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        required
        maxLength={1_000}
      />
      <Text size="sm" c="dimmed">
        {t.after}
      </Text>
      {isElsewhere && (
        <Anchor href={publicUrl} size="sm" className="foreign">
          {t.open(publicUrl)}
        </Anchor>
      )}
    </SettingForm>
  )
}
