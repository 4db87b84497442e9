import { networkInterfaces } from 'node:os'

/** Where others reach this machine; undefined if it has no network. */
export const outerAddress = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
