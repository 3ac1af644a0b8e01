// A choice of the roles that the current member may give. The list explains each role.
import type { Role } from '@botstead/contract'
import { Select, type SelectProps, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { roleName, useGivableRoles } from './roles.ts'

interface RoleChoiceProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  value: Role
  onChange: (role: Role) => void
}

export function RoleChoice({ value, onChange, ...props }: RoleChoiceProps) {
  const givable = useGivableRoles()
  return (
    <Select
      data={givable.map((role) => ({ value: role, label: roleName(role) }))}
      value={value}
      onChange={(role) => role && onChange(role as Role)}
      allowDeselect={false}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm" fw={600}>
            {option.label}
          </Text>
          <Text size="xs">{texts.members.roleHints[option.value as Role]}</Text>
        </div>
      )}
      {...props}
    />
  )
}
