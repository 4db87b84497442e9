import { courseSchool } from './course-school/app.ts'
import { crm } from './crm/app.ts'
import { photoGallery } from './photo-gallery/app.ts'
import type { SandboxApp } from './platform/types.ts'
import { propertyAdvertising } from './property-advertising/app.ts'
import { salonBooking } from './salon-booking/app.ts'

export const apps: readonly SandboxApp[] = [courseSchool, crm, photoGallery, propertyAdvertising, salonBooking]
