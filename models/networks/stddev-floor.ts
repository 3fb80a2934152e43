/** No trained standard deviation falls below this. */
export const STDDEV_FLOOR = 0.01;
