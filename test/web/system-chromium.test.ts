import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../scripts/doctor/chromium.ts'
import { programIn } from '../../web/connect/browser/chromium-program.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-system-chromium-'))
  await chmod(folder, 0o711)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the browser of the connect page', () => {
  test('is the packaged one where it is installed, whatever the system has', async () => {
    const bin = path.join(folder, 'bin')
    await mkdir(bin)
    const packaged = await programIn(folder)
    expect(packaged).toBe(path.join(folder, 'chromium/chromium'))
    await symlink(packaged, path.join(bin, 'google-chrome'))
    expect(await programIn(folder, true, `relative:/nowhere:${bin}`)).toBe(packaged)
    expect(await programIn(folder, false, `relative:/nowhere:${bin}`)).toBe(path.join(bin, 'google-chrome'))
    await symlink(packaged, path.join(bin, 'chromium'))
    expect(await programIn(folder, false, bin)).toBe(path.join(bin, 'chromium'))
    expect((await findChromium(folder, 60)).found).toContain('starts and shows text')
  })

  test('is never a snap, which cannot read its folders, nor looked for in the current folder', async () => {
    const snaps = path.join(folder, 'snap/bin')
    await mkdir(snaps, { recursive: true })
    await writeFile(path.join(snaps, 'snap'), '')
    await symlink('snap', path.join(snaps, 'chromium'))
    await expect(programIn(folder, false, snaps)).rejects.toThrow(/there is no Chromium here: .*CALLGATE_BROWSER_URL/)
    await expect(programIn(folder, false, '.:bin')).rejects.toThrow(/there is no Chromium here/)
  })
})
