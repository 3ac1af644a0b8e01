// Settings of the installation in the browser, for its operator.
import { Stack, Text } from '@mantine/core'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { AddressForm } from './address-form.tsx'
import { BackupsForm } from './backups-form.tsx'
import { MailForm } from './mail-form.tsx'
import { ModelForm } from './model-form.tsx'
import { useServerSettings } from './use-setting.ts'

const t = texts.serverSettings

export function ServerSettingsPage() {
  const query = useServerSettings()
  return (
    <Page title={t.title} docs="server-settings">
      <Loaded query={query}>
        {(settings) => (
          <Stack maw={760}>
            <Text size="sm" c="dimmed">
              {t.hint}
            </Text>
            {/* A form begins with the stored values again after they have changed. */}
            <AddressForm key={`a${settings.address.updatedAt}`} settings={settings} />
            <ModelForm
              key={`m${settings.model.updatedAt}`}
              name="model"
              setting={settings.model}
            />
            <ModelForm
              key={`e${settings.embeddings.updatedAt}`}
              name="embeddings"
              setting={settings.embeddings}
            />
            <BackupsForm
              key={`b${settings.backups.updatedAt}`}
              setting={settings.backups}
            />
            <MailForm key={`s${settings.mail.updatedAt}`} settings={settings} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
