// The field for a new password, with the limits of the server.
import { PasswordInput } from '@mantine/core'

interface NewPasswordProps {
  label: string
  hint: string
  value: string
  onChange: (value: string) => void
}

export function NewPassword({ label, hint, value, onChange }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description={hint}
      autoComplete="new-password"
      minLength={12}
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
    />
  )
}
