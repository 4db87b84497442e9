import type { SandboxApp } from './platform/types.ts'
import { propertyAdvertising } from './property-advertising/app.ts'

export const apps: readonly SandboxApp[] = [propertyAdvertising]
