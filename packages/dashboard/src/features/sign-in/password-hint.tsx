// Suggests a password to a person who signs in by links, until they dismiss it.
import { Alert, Anchor, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { signInQuery } from '../../api/session.ts'
import { useRemembered } from '../../shell/remembered.ts'
import { texts } from '../../texts/texts.ts'
import { securityQuery } from './security-query.ts'

export function PasswordHint() {
  const [isDismissed, setDismissed] = useRemembered('password-hint-dismissed')
  const { data: security } = useQuery({ ...securityQuery, enabled: !isDismissed })
  const { data: ways } = useQuery(signInQuery)
  if (isDismissed || security?.hasPassword !== false || !ways || ways.openId) return null
  return (
    <Alert py="xs">
      <Group justify="space-between" gap="xs">
        <Anchor component={Link} to="/account" size="sm">
          {texts.account.passwordMissing}
        </Anchor>
        <Button size="compact-sm" variant="default" onClick={() => setDismissed(true)}>
          {texts.account.passwordLater}
        </Button>
      </Group>
    </Alert>
  )
}
