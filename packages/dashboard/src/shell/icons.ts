export {
  type Icon,
  IconAdjustments,
  IconAlertTriangle,
  IconBox,
  IconChartBar,
  IconFileText,
  IconMessages,
  IconRobot,
  IconSend,
  IconUser,
} from '@tabler/icons-react'
