export {
  type Icon,
  IconAdjustments,
  IconBox,
  IconChartBar,
  IconMessages,
  IconRobot,
  IconUser,
} from '@tabler/icons-react'
