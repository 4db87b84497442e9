import { describe, expect, it } from 'vitest'
import { armFailPoint, failPoint } from '../../core/fail-point.ts'
import { loadConfig } from '../../config.ts'

describe('fail points', () => {
  const env = { DATABASE_URL: 'postgresql://x', TEMPORAL_ADDRESS: '127.0.0.1:1' }

  it('are armed by a test only', () => {
    expect(loadConfig(env).failPoint).toBeNull()
    expect(loadConfig({ ...env, CALLGATE_FAIL_POINT: '' }).failPoint).toBeNull()
    const armed = { ...env, CALLGATE_FAIL_POINT: 'send.before-fence' }
    expect(() => loadConfig(armed)).toThrow('NODE_ENV=test')
    expect(() => loadConfig({ ...armed, NODE_ENV: 'production' })).toThrow('NODE_ENV=test')
    expect(loadConfig({ ...armed, NODE_ENV: 'test' }).failPoint).toBe('send.before-fence')
  })

  it('have names, and do nothing where another one is armed', () => {
    expect(() => armFailPoint('send.befor-fence')).toThrow('no fail point')
    armFailPoint('send.before-fence')
    failPoint('send.after-fence')
    armFailPoint(null)
    failPoint('send.before-fence')
  })
})
