// The lab site as a browser's scripts would use it.
