// CommonJS, in syntax that old versions of Node parse, so that their users see the message.
const { engines } = require('../package.json')

const numbers = (version) =>
  version
    .replace(/^[^0-9]*/, '')
    .split('.')
    .map(Number)

/** Returns an error message if Botstead does not support this version of Node, otherwise null. */
const complaintAbout = (version) => {
  const [major, minor] = numbers(version)
  const [neededMajor, neededMinor] = numbers(engines.node)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return null
  return (
    `botstead: Node ${neededMajor}.${neededMinor} or newer is required, and this is Node ${version}. ` +
    `Install a newer version from https://nodejs.org or with "nvm install ${neededMajor}".`
  )
}

module.exports = { complaintAbout }
